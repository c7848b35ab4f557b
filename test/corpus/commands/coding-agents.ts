import type { CorpusEntry } from '../command.ts';

const project = {
  copies: ['test/corpus/projects/home', 'test/corpus/projects/client'],
  packages: ['cli', 'mcp'],
  before: ['eval home rooms'],
  environment: { JITI_TRY_NATIVE: 'true' },
};
const ask = ['node', 'client/ask.mjs'];

/** `agent-criteria mcp`, as a client on the other side of its standard input and output sees it. */
export const codingAgents: readonly CorpusEntry[] = [
  {
    name: 'mcp',
    ...project,
    commands: [
      [
        ...ask,
        'tools/list',
        'list_eval_sets',
        'list_failures',
        'show_case {"case":"wrong"}',
        'show_case {"case":"wrnog"}',
        'start_run {"agent":"home"}',
      ],
    ],
  },
  {
    // The run recorded the key, because nothing named it then.
    name: 'mcp-masked',
    ...project,
    before: ['eval home client/key.evalset.json'],
    files: { '.env': 'LAMP_API_KEY=wrmd84hq2tzk61vb\n' },
    commands: [
      [
        ...ask,
        'list_failures',
        'show_case {"case":"kept"}',
        'show_eval_case {"set":"client/key.evalset.json","case":"kept"}',
      ],
    ],
  },
];
