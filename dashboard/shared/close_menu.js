// In a narrow window the menu lies over the page, and Streamlit leaves it open, and remembers that.
// The path makes the browser run this again on another page alone.
/* {path} */
if (window.innerWidth < 768) {
  window.setTimeout(() => document.querySelector(
    "[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarCollapseButton] button"
  )?.click(), 50);
}
