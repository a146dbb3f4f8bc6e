"use strict";
const figures = JSON.parse(document.getElementById("figures").textContent);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
function coloured(ink) {
  return {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { color: ink },
    "xaxis.gridcolor": "rgba(128,128,128,.3)", "yaxis.gridcolor": "rgba(128,128,128,.3)",
  };
}
function colour(ink) {
  for (const name of Object.keys(figures)) Plotly.relayout(name, coloured(ink));
}
function colourForScreen() { colour(dark.matches ? "#eeeeee" : "#222222"); }
for (const [name, figure] of Object.entries(figures))
  Plotly.newPlot(name, figure.data, figure.layout, { displayModeBar: false, responsive: true });
colourForScreen();
dark.addEventListener("change", colourForScreen);
window.addEventListener("beforeprint", () => colour("#222222"));
window.addEventListener("afterprint", colourForScreen);
