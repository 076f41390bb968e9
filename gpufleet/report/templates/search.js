"use strict";
// Without this file the page says the same; with it, resources can be searched, and all of them are printed.
const form = document.getElementById("search");
const words = document.getElementById("words");
const folders = [...document.querySelectorAll("details.component")];
const rows = folders.map((folder) => [...folder.querySelectorAll("tbody tr")].map((row) => [row, row.textContent.toLowerCase()]));
form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
words.addEventListener("input", () => {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  folders.forEach((folder, index) => {
    const name = folder.querySelector("summary").textContent.toLowerCase();
    let here = 0;
    for (const [row, text] of rows[index]) {
      const match = wanted.every((word) => text.includes(word) || name.includes(word));
      row.hidden = !match;
      here += match;
    }
    folder.hidden = here === 0;
    folder.open = wanted.length > 0 && here > 0;
    found += here;
  });
  document.getElementById("found").textContent = wanted.length ? `${found} found` : "";
});
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((folder) => (folder.open = true));
});
addEventListener("afterprint", () => closed.forEach((folder) => (folder.open = false)));
