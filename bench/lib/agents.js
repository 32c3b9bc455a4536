// @ts-check
// What agents do all day, on each surface: a bounded number of things that they create, add to, look at and delete again.

/**
 * @typedef {object} Call
 * @property {string} path
 * @property {string} tool
 * @property {object} args
 * @property {boolean} writes
 *
 * @typedef {import('./random.js').Random} Random
 * @typedef {(client: number, random: Random) => () => Call} Agent Each call after the other, with a state of its own.
 */

/** How many things each agent has at most, and how many facts each of them. */
const things = 20;
const factsPerThing = 10;

export const surfaces = ['memory', 'mesh', 'workspace', 'gate', 'graph'];

/** The schema of the graph that the graph surface works on. */
export const schema = 'node Item {\n  code: String @key\n  label: String?\n  amount: I64?\n}\n';

/**
 * What the agent on a surface remembers of its things, so that none of its calls is refused.
 * @param {number} client
 * @param {Random} random
 */
function workingSet(client, random) {
  /** @type {Map<string, string[]>} */
  const facts = new Map();
  let made = 0;
  return {
    facts,
    missing: () => {
      const slot = random.below(things);
      const name = `thing ${slot} of agent ${client}`;
      return facts.has(name) ? undefined : name;
    },
    any: () => [...facts.keys()][random.below(facts.size)] ?? '',
    newFact: () => `fact ${++made} of agent ${client}: ${sentence(random)}`,
  };
}

/**
 * An agent of a surface whose tools create, add to, delete and find things.
 * @param {Record<'create' | 'add' | 'forget' | 'remove' | 'open' | 'search', (name: string, fact: string) => [string, object]>} tools
 * @param {string} path
 * @returns {Agent}
 */
const keeper = (tools, path) => (client, random) => {
  const { facts, missing, any, newFact } = workingSet(client, random);
  const call = (
    /** @type {keyof typeof tools} */ kind,
    /** @type {string} */ name,
    /** @type {string} */ fact,
  ) => {
    const [tool, args] = tools[kind](name, fact);
    return { path, tool, args, writes: kind !== 'open' && kind !== 'search' };
  };
  return () => {
    const fresh = missing();
    if (fresh !== undefined) {
      const fact = newFact();
      facts.set(fresh, [fact]);
      return call('create', fresh, fact);
    }
    const name = any();
    const known = facts.get(name) ?? [];
    const kind = random.below(10);
    if (kind === 0) {
      facts.delete(name);
      return call('remove', name, '');
    }
    if (kind <= 3) {
      const isFull = known.length >= factsPerThing;
      const fact = isFull ? /** @type {string} */ (known.shift()) : newFact();
      if (!isFull) known.push(fact);
      return call(isFull ? 'forget' : 'add', name, fact);
    }
    return kind <= 7 ? call('open', name, '') : call('search', name, known[0] ?? name);
  };
};

/** @type {Record<string, Agent>} */
export const agents = {
  memory: keeper(
    {
      create: (name, fact) => [
        'create_entities',
        { entities: [{ name, entityType: 'thing', observations: [fact] }] },
      ],
      add: (name, fact) => ['add_observations', { observations: [{ entityName: name, contents: [fact] }] }],
      forget: (name, fact) => [
        'delete_observations',
        { deletions: [{ entityName: name, observations: [fact] }] },
      ],
      remove: (name) => ['delete_entities', { entityNames: [name] }],
      open: (name) => ['open_nodes', { names: [name] }],
      search: (_, fact) => ['search_nodes', { query: fact, limit: 5 }],
    },
    '/graphs/memory/memory/mcp',
  ),
  mesh: keeper(
    {
      create: (name, fact) => ['add_nodes', { nodes: [{ name, nodeType: 'thing', metadata: [fact] }] }],
      add: (name, fact) => ['add_metadata', { nodeName: name, metadata: [fact] }],
      forget: (name, fact) => ['delete_metadata', { nodeName: name, metadata: [fact] }],
      remove: (name) => ['delete_nodes', { nodeNames: [name] }],
      open: (name) => ['open_nodes', { names: [name] }],
      search: (_, fact) => ['search_nodes', { query: fact, limit: 5 }],
    },
    '/graphs/mesh/mesh/mcp',
  ),
  workspace: keeper(
    {
      create: (name, fact) => [
        'create_entities',
        { entities: [{ name, entity_type: 'thing', observations: [fact] }] },
      ],
      add: (name, fact) => ['set_summary', { name, summary: fact }],
      forget: (name, fact) => ['set_tags', { name, tags: [fact.slice(0, 20)] }],
      remove: (name) => ['delete_entities', { entity_names: [name] }],
      open: (name) => ['get_neighborhood', { name }],
      search: (_, fact) => ['search_nodes', { query: fact, limit: 5 }],
    },
    '/graphs/workspace/workspace/mcp',
  ),
  gate: keeper(
    {
      create: (name, fact) => ['write_node', gateNode(name, { note: fact })],
      add: (name, fact) => ['write_node', gateNode(name, { note: fact })],
      forget: (name, fact) => ['write_node', gateNode(name, { note: null, other: fact })],
      remove: (name) => ['write_node', gateNode(name, { note: null, other: null })],
      open: () => ['refresh_schema_cache', {}],
      search: () => ['refresh_schema_cache', {}],
    },
    '/graphs/gate/gate/mcp',
  ),
  graph: keeper(
    {
      create: (name, fact) => [
        'mutate',
        {
          source: 'query make($code: String, $label: String) { insert Item { code: $code, label: $label } }',
          params: { code: name, label: fact },
        },
      ],
      add: (name, fact) => ['mutate', relabel(name, fact)],
      forget: (name, fact) => ['mutate', relabel(name, fact)],
      remove: (name) => [
        'mutate',
        { source: 'query drop($code: String) { delete Item where code = $code }', params: { code: name } },
      ],
      open: (name) => [
        'query',
        {
          source: 'query get($code: String) { match { $i: Item { code: $code } } return { $i.label } }',
          params: { code: name },
        },
      ],
      search: () => ['commits_list', { limit: 10 }],
    },
    '/graphs/graph/mcp',
  ),
};

/**
 * @param {string} name
 * @param {object} properties
 */
function gateNode(name, properties) {
  return { label: 'Thing', merge_keys: { name }, properties, source: 'soak', extraction_method: 'parsed' };
}

/**
 * @param {string} code
 * @param {string} label
 */
function relabel(code, label) {
  return {
    source:
      'query relabel($code: String, $label: String) { update Item set { label: $label } where code = $code }',
    params: { code, label },
  };
}

const words = 'river stone garden letter window engine paper orange silver market bridge winter'.split(' ');

/** @param {Random} random */
function sentence(random) {
  return Array.from({ length: 12 }, () => words[random.below(words.length)]).join(' ');
}
