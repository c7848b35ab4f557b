import { expect, it } from 'vitest';
import { reexport } from './reexport.ts';

const names = ['rootAgent', 'agent', 'default'];

it.each([
  ['src/a.ts', 'support', '', 'agent.ts', "export { support as agent } from '../src/a';"],
  ['src/a.ts', 'agent', '.js', 'agent.ts', "export { agent } from '../src/a.js';"],
  ['src/a.ts', 'default', '.ts', 'agent.ts', "export { default as agent } from '../src/a.ts';"],
  ['a.tsx', 'rootAgent', '', 'agent.ts', "export { rootAgent } from '../a';"],
  ['a.mts', 'agent', '', 'agent.ts', "export { agent } from '../a.mts';"],
  ['lib/a.js', 'agent', '', 'agent.mjs', "export { agent } from '../lib/a.js';"],
  ["it's/a.js", 'agent', '', 'agent.mjs', `export { agent } from "../it's/a.js";`],
])(
  'the agent of %s named %s is exported again, with imports that end in %j',
  (path, name, importEnding, file, line) => {
    const written = reexport({ path, name, importEnding }, names);
    expect(written.file).toBe(file);
    expect(written.text.split('\n')).toContain(line);
  },
);
