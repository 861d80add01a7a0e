// What every page does: changing the language keeps what else the address asks for, and the fragment, which may hold a
// token, a position or a rule. A fragment never goes to the server, so that only the page itself can carry it over.
for (const link of document.querySelectorAll("a[data-language]")) {
  link.addEventListener("click", () => {
    const asked = new URLSearchParams(location.search);
    asked.set("lang", link.hreflang);
    link.search = `${asked}`;
    link.hash = location.hash;
  });
}
