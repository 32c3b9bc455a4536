// @ts-check

/**
 * What a desktop client reads before it starts the bundle, and asks its user for: manifest 0.3 of MCP bundles. A client
 * leaves `${user_config.…}` as it is if there is no value, so each setting has a default; an empty one counts as not set.
 * @param {{ version: string, description: string, license: string, keywords: string[], engines: { node: string } }} manifest
 *   package.json
 * @param {readonly { name: string, description?: string | undefined }[]} tools
 */
export function mcpbManifest({ version, description, license, keywords, engines }, tools) {
  return {
    manifest_version: '0.3',
    name: 'trellis-memory',
    display_name: 'Trellis',
    version,
    description,
    long_description:
      'Trellis gives agents a memory that you can read, correct and undo: a knowledge graph in a file on your machine. ' +
      'Every write is a commit, with who made it and when. Run `npx -y trellis-memory ui` to look at it in a browser.',
    author: { name: 'The Trellis maintainers' },
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: 'dist/bundle/trellis.js',
      mcp_config: {
        command: 'node',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in.
        args: ['${__dirname}/dist/bundle/trellis.js', 'stdio'],
        env: Object.fromEntries(
          Object.keys(userConfig).map((key) => [`TRELLIS_${key.toUpperCase()}`, `\${user_config.${key}}`]),
        ),
      },
    },
    tools: tools.map(({ name, description }) => ({ name, description })),
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
    user_config: userConfig,
  };
}

const userConfig = {
  store: {
    type: 'string',
    title: 'Store',
    description:
      'Where the memory is: a path ending in .db, .jsonl or .json. Empty: the store of the command line.',
    default: '',
  },
  surface: {
    type: 'string',
    title: 'Tools',
    description: 'Which set of tools agents get: memory, workspace, mesh, gate or graph.',
    default: 'memory',
  },
  graph: {
    type: 'string',
    title: 'Graph',
    description: 'Which graph of the store to use. Empty: the only one, or the one named default.',
    default: '',
  },
};
