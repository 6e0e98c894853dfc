import js from "@eslint/js";
import globals from "globals";

// The scripts of the pages. Those of others, which the build copies as they are, are not looked at.
export default [
    { ignores: ["**/katex/**", "site/**", ".venv/**", ".cache/**"] },
    js.configs.recommended,
    { linterOptions: { reportUnusedDisableDirectives: "off" } }, // the stemmer's own, as it was published
    {
        files: ["docs/assets/js/**/*.js"],
        languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: { ...globals.browser } },
        rules: {
            eqeqeq: "error",
            "no-var": "error",
            "prefer-const": "error",
            "no-empty": ["error", { allowEmptyCatch: true }], // a full disk or no storage: then it is not kept
            "no-unused-vars": ["error", { caughtErrors: "none" }],
        },
    },
    {
        files: ["docs/assets/js/offline/worker.js", "docs/assets/js/search/worker.js"],
        languageOptions: { globals: { ...globals.serviceworker, ...globals.worker } },
    },
    {
        files: ["tests/js/**/*.js"],
        languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: { ...globals.node } },
        rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" },
    },
    {
        files: ["docs/assets/js/book/*.js"],
        languageOptions: { globals: { __md_get: "readonly", __md_scope: "readonly", __md_set: "readonly", __palette: "readonly" } },
    },
];
