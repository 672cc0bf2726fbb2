// Names and keys for parts of the theme that have none: tables that scroll, and the dialog of the search.
addEventListener("DOMContentLoaded", () => {
  const name = () => {
    for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
      table.setAttribute("tabindex", "0");
      table.setAttribute("role", "region");
      table.setAttribute("aria-label", "table");
    }
    document.querySelector(".md-search")?.setAttribute("aria-label", "search");
  };
  name();
  // The theme wraps tables later.
  new MutationObserver(name).observe(document.querySelector(".md-content") ?? document.body, {childList: true, subtree: true});
});
