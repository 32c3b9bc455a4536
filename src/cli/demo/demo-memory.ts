import type { NodeSpec } from '../../engine/specs.js';

/** One write of the sample memory; every field but the first four is what it does. */
export interface DemoWrite {
  readonly actor: string;
  readonly client: string;
  readonly tool: string;
  readonly hoursAgo: number;
  readonly message?: string;
  readonly branch?: string;
  readonly nodes?: readonly DemoNode[];
  /** `[node, texts]` */
  readonly observations?: readonly (readonly [string, readonly string[]])[];
  /** `[node, ordinal, text]` */
  readonly corrections?: readonly (readonly [string, number, string])[];
  readonly summaries?: readonly (readonly [string, string])[];
  /** `[from, type, to]` */
  readonly edges?: readonly (readonly [string, string, string])[];
  readonly deletedNodes?: readonly string[];
}

type DemoNode = readonly [
  name: string,
  type: string,
  observations: readonly string[],
  tags?: NodeSpec['tags'],
];

export const reviewBranch = 'review/harbor-2';

const ada = { actor: 'ada', client: 'claude-code/2.1.0', tool: 'create_entities' };
const ben = { actor: 'ben', client: 'cursor/1.9.2', tool: 'create_entities' };
const nightly = { actor: 'nightly-agent', client: 'release-notes-bot/0.4.0', tool: 'add_observations' };

/** A small team builds Harbor, a booking service, with three agents that share a memory. */
export const demoWrites: readonly DemoWrite[] = [
  {
    ...ada,
    hoursAgo: 330,
    message: 'What I know about the team',
    nodes: [
      [
        'Ada Okafor',
        'person',
        ['Leads the Harbor project', 'Prefers short answers with a link to the source'],
        ['team'],
      ],
      ['Ben Ruiz', 'person', ['Owns the payment service', 'Works from Lisbon, UTC+0'], ['team']],
      ['Chiara Conti', 'person', ['Runs operations', 'Is on call every second week'], ['team']],
      [
        'Harbor',
        'project',
        ['A booking service for small marinas', 'Written in TypeScript on Node 20'],
        ['active'],
      ],
    ],
    edges: [
      ['Ada Okafor', 'leads', 'Harbor'],
      ['Ben Ruiz', 'works_on', 'Harbor'],
      ['Chiara Conti', 'works_on', 'Harbor'],
    ],
  },
  {
    ...ada,
    hoursAgo: 320,
    nodes: [
      ['booking-api', 'service', ['Listens on port 8080', 'Deployed from the main branch'], ['production']],
      [
        'payment-service',
        'service',
        ['Talks to Stripe', 'Retries a failed charge three times'],
        ['production'],
      ],
      ['web-app', 'service', ['A React application', 'Served from a CDN'], ['production']],
      ['PostgreSQL', 'technology', ['Version 17 in production', 'Backed up every night at 02:00 UTC']],
      ['Redis', 'technology', ['Holds sessions and rate limits']],
    ],
    edges: [
      ['booking-api', 'part_of', 'Harbor'],
      ['payment-service', 'part_of', 'Harbor'],
      ['web-app', 'part_of', 'Harbor'],
      ['booking-api', 'stores_data_in', 'PostgreSQL'],
      ['booking-api', 'caches_in', 'Redis'],
      ['payment-service', 'stores_data_in', 'PostgreSQL'],
      ['web-app', 'calls', 'booking-api'],
      ['booking-api', 'calls', 'payment-service'],
      ['Ben Ruiz', 'owns', 'payment-service'],
    ],
  },
  {
    ...ben,
    hoursAgo: 250,
    message: 'Decisions from the planning meeting',
    nodes: [
      [
        'ADR 1: one database per service',
        'decision',
        ['Accepted on 2 November', 'No service reads the tables of another'],
      ],
      [
        'ADR 2: idempotency keys for charges',
        'decision',
        ['Every charge carries a key', 'Prevents double charges after a retry'],
      ],
      ['Stripe', 'company', ['Our payment provider', 'Support answers within four hours']],
    ],
    edges: [
      ['ADR 1: one database per service', 'applies_to', 'Harbor'],
      ['ADR 2: idempotency keys for charges', 'applies_to', 'payment-service'],
      ['payment-service', 'depends_on', 'Stripe'],
      ['Ben Ruiz', 'proposed', 'ADR 2: idempotency keys for charges'],
    ],
  },
  {
    ...ada,
    tool: 'consolidate',
    hoursAgo: 240,
    summaries: [
      ['Harbor', 'A booking service for small marinas: an API, a payment service and a web application.'],
    ],
  },
  {
    ...nightly,
    hoursAgo: 120,
    nodes: [
      ['Postgres', 'technology', ['The team wants to try logical replication']],
      ['Release 1.4', 'release', ['Went out on 12 November', 'Adds group bookings'], ['released']],
      [
        'Incident 7',
        'incident',
        ['Bookings failed for 40 minutes', 'The connection pool was exhausted'],
        ['closed'],
      ],
      ['old meeting notes', 'document', ['Not linked to anything']],
    ],
    edges: [
      ['Release 1.4', 'part_of', 'Harbor'],
      ['Incident 7', 'affected', 'booking-api'],
    ],
  },
  {
    ...ben,
    tool: 'add_observations',
    hoursAgo: 100,
    message: 'After the review of incident 7',
    observations: [
      ['booking-api', ['The connection pool holds 50 connections since incident 7']],
      ['Incident 7', ['Fixed by raising the pool from 10 to 50 connections']],
    ],
  },
  {
    ...nightly,
    hoursAgo: 20,
    message: 'From last night’s deployment log',
    observations: [
      ['booking-api', ['Listens on port 9090 since the last deployment', 'Uses 300 MB of memory at peak']],
      ['web-app', ['The bundle is 412 KB compressed']],
      ['Harbor', ['Group bookings are live']],
    ],
  },
  {
    ...nightly,
    hoursAgo: 19,
    nodes: [['Chiara Conti’s phone', 'thing', ['+39 055 0199 0142']]],
    edges: [['Chiara Conti', 'has', 'Chiara Conti’s phone']],
  },
  {
    ...nightly,
    tool: 'create_entities',
    branch: reviewBranch,
    hoursAgo: 6,
    message: 'Proposal: what changes with Harbor 2',
    nodes: [
      ['Harbor 2', 'project', ['Adds harbours in other countries', 'Planned for March'], ['planned']],
      ['currency-service', 'service', ['Converts prices once an hour'], ['planned']],
    ],
    edges: [
      ['Harbor 2', 'follows', 'Harbor'],
      ['currency-service', 'part_of', 'Harbor 2'],
      ['payment-service', 'calls', 'currency-service'],
    ],
    corrections: [['payment-service', 2, 'Retries a failed charge five times']],
  },
  {
    ...ben,
    tool: 'replace_observation',
    hoursAgo: 3,
    message: 'Three retries were too many for Stripe',
    corrections: [['payment-service', 2, 'Retries a failed charge twice']],
  },
  {
    ...ada,
    tool: 'add_observations',
    hoursAgo: 1,
    observations: [['Ada Okafor', ['Is on leave in the last week of December']]],
  },
];

/** What the gate accepts in the sample. */
export const demoLabels = [
  { name: 'Contract', required: ['name'], types: { amount: 'float' } },
  { name: 'Customer', required: ['name'], types: {} },
] as const;

/** Writes through the gate, by an agent that reads documents; the last two are rejected. */
export const demoClaims: readonly object[] = [
  {
    label: 'Customer',
    merge_keys: { name: 'Marina di Lucca' },
    properties: { berths: 120 },
    ...{ source: 'https://example.org/contracts/lucca.pdf', extraction_method: 'parsed', reliability: 0.9 },
  },
  {
    label: 'Contract',
    merge_keys: { name: 'Lucca 2027' },
    properties: { amount: 14_400, signed: true },
    ...{ source: 'https://example.org/contracts/lucca.pdf', extraction_method: 'parsed', reliability: 0.9 },
  },
  {
    label: 'Customer',
    merge_keys: { name: 'Porto Vecchio' },
    properties: { berths: 300 },
    ...{ source: 'a mail that mentions it', extraction_method: 'llm', reliability: 0.3 },
  },
  {
    label: 'Supplier',
    merge_keys: { name: 'Dockside Ltd' },
    properties: {},
    ...{ source: 'https://example.org/invoices/19', extraction_method: 'parsed', reliability: 0.8 },
  },
  {
    label: 'Contract',
    merge_keys: { name: 'Vecchio 2027' },
    properties: { amount: 'to be agreed' },
    ...{ source: 'a mail that mentions it', extraction_method: 'llm', reliability: 0.3 },
  },
];
