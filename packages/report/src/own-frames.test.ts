import { expect, it } from 'vitest';
import { ownFrames } from './own-frames.ts';

it('ownFrames() returns the author’s frames, which are those above our code', () => {
  const here = new URL('.', import.meta.url).pathname;
  const stack = (ours: string) =>
    [
      'Error: the wire',
      'is cut',
      '    at wire (/home/me/wire.ts:1:2)',
      '    at node:internal/timers:1:1',
      '    at transpile (/home/me/node_modules/jiti/dist/jiti.cjs:1:1)',
      '    at runAsync.next (<anonymous>)',
      '    at async Promise.all (index 0)',
      '    at get apiClient (file:///home/me/node_modules/@google/adk/dist/esm/models/google_llm.js:1:1)',
      '    at Gemini.run (C:\\me\\node_modules\\@google\\adk\\dist\\cjs\\index.js:1:1)',
      '    at agent (file:///home/me/packages/runner/src/agent.ts:3:4)',
      `    at converse (${ours}:5:6)`,
      '    at deeper (/home/me/callback.ts:7:8)',
    ].join('\n');
  for (const ours of [
    `file://${here}../../runner/src/converse.ts`.replace('src/../../', ''),
    '/home/me/node_modules/@agent-criteria/runner/dist/index.js',
    'C:\\me\\node_modules\\.pnpm\\@agent-criteria+runner@1.0.0\\node_modules\\@agent-criteria\\runner\\dist\\index.js',
  ]) {
    expect(ownFrames(stack(ours))).toEqual([
      '    at wire (/home/me/wire.ts:1:2)',
      '    at agent (file:///home/me/packages/runner/src/agent.ts:3:4)',
    ]);
  }
});

it('ownFrames() returns nothing if there is no stack', () => {
  expect(ownFrames(undefined)).toEqual([]);
  expect(ownFrames('Error: at least')).toEqual([]);
});
