/** The file of the layout worker, relative to the bundle; set by scripts/bundle-explorer.js. */
declare const LAYOUT_WORKER: string;

/** The version of the package; set by scripts/bundle-explorer-app.js. */
declare const APP_VERSION: string;

/** Missing in older browsers. What a policy returns counts as a string here, as it does for the DOM. */
declare const trustedTypes:
  | {
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string };
    }
  | undefined;

declare module 'graphology-layout-forceatlas2/iterate.js' {
  export default function iterate(settings: object, nodes: Float32Array, edges: Float32Array): void;
}

declare module 'graphology-layout-forceatlas2/defaults.js' {
  const defaults: object;
  export default defaults;
}
