// Where the page is served without TLS the browser has no clipboard: then the link is selected in
// a box to be copied by hand.
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const label = parentElement.querySelector("span");
  label.textContent = data.label;
  button.onclick = async () => {
    const link = new URL(window.location.href);
    link.search = data.query;
    try {
      await navigator.clipboard.writeText(link.href);
      label.textContent = "Link copied";
      window.setTimeout(() => { label.textContent = data.label; }, 2500);
    } catch {
      window.prompt("Copy this link:", link.href);
    }
  };
}
