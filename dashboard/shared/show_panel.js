// Where the window is narrow, the panel lies below the table.
/* {number} */
{
  const panel = document.querySelector(".st-key-{panel}");
  const top = panel?.getBoundingClientRect().top ?? 0;
  if (window.innerWidth < 640 || top < 0 || top > window.innerHeight / 2) {
    panel?.scrollIntoView({ behavior: "smooth" });
  }
}
