// What every page does: changing the language keeps the fragment, which may hold a token, a position or a rule. A
// fragment never goes to the server, so that only the page itself can carry it over.
for (const link of document.querySelectorAll("a[data-language]")) {
  link.addEventListener("click", () => {
    link.hash = location.hash;
  });
}
