export default function ({ data }) {
  const names = (window.provenanceReplaced ??= new Set());
  data.names.forEach((name) => names.add(name));
  if (names.wrapped) return;
  names.wrapped = true;
  const push = window.history.pushState.bind(window.history);
  const without = (address) => {
    const url = new URL(address, window.location.href);
    names.forEach((name) => url.searchParams.delete(name));
    url.searchParams.sort();
    return url.href;
  };
  window.history.pushState = (state, title, address) => {
    const same = address != null && without(address) === without(window.location.href);
    if (same) window.history.replaceState(state, title, address);
    else push(state, title, address);
  };
}
