// @ts-check

/**
 * Checks of a scenario that cannot be made here, with the reason: each needs a tool that a memory server does not have.
 * @type {Readonly<Record<string, string>>}
 */
export const notCheckable = {
  'sep-2575-server-rejects-undeclared-capability':
    'needs a tool test_missing_capability that asks the client for something',
  'sep-2575-missing-capability-http-400': 'the same tool',
  'sep-2575-http-server-no-independent-requests-on-stream': 'needs a tool that streams; no tool here does',
  'sep-2575-server-no-log-without-loglevel': 'needs a tool that sends log messages; no tool here does',
};

/** The scenarios that apply to this server, by set of requirements. */
export const applicable = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'sep-2164-resource-not-found',
  ],
};

/** The others, and why they do not apply. */
export const notApplicable = [
  [
    'tools-call-*, json-schema-2020-12, http-custom-header-server-validation',
    'call tools that only a test server has',
  ],
  [
    'resources-read-*, resources-templates-read, prompts-get-*',
    'read resources and prompts that only a test server has',
  ],
  [
    'resources-subscribe, resources-unsubscribe',
    'HTTP is stateless in the 2025 protocol; over stdio and SSE our own tests cover them',
  ],
  [
    'server-session-lifecycle, server-sse-polling, server-sse-multiple-streams',
    'there are no sessions: every request stands alone',
  ],
  ['logging-set-level, completion-complete', 'capabilities that are not offered'],
  ['elicitation-*, input-required-result-*, tools-call-sampling', 'no tool asks the client for anything'],
  ['tasks-*, sep-2640-*', 'extensions that are not offered'],
];
