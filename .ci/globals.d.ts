// What book/theme/partials/javascripts/palette.html gives to docs/assets/js/book.

/** The address of the root of this language's site. */
declare const __md_scope: URL;
/** What is kept in this browser under a name, for a site. */
declare function __md_get(key: string, storage?: Storage | null, scope?: URL): any;
declare function __md_set(key: string, value: unknown, storage?: Storage | null, scope?: URL): void;
/** Show the colours for a media query. */
declare function __palette(media: string): void;
