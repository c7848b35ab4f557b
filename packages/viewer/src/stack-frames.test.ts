import { expect, it } from 'vitest';
import { stackFrames } from './stack-frames.ts';

it("stackFrames() tells the author's own files from those of Node.js, packages and other folders", () => {
  const stack = [
    'Error: the wire is cut',
    '    at find (desk/orders.mjs:1:9)',
    '    at async agent.ts:4:30',
    '    at f (file:///home/me/a b.ts:1:2)',
    '    at run (node_modules/a/index.js:1:2)',
    '    at run (/home/me/node_modules/a/index.js:1:2)',
    '    at node:internal/timers:1:1',
    '    at …/main.js:7:1',
    '    at async Promise.all (index 0)',
    '    at Array.forEach (<anonymous>)',
    '    … 3 more',
  ].join('\n');
  expect(stackFrames(stack).map(({ place, isOwn }) => [place, isOwn])).toEqual([
    ['desk/orders.mjs:1:9', true],
    ['agent.ts:4:30', true],
    ['file:///home/me/a b.ts:1:2', true],
    ['node_modules/a/index.js:1:2', false],
    ['/home/me/node_modules/a/index.js:1:2', false],
    ['node:internal/timers:1:1', false],
    ['…/main.js:7:1', false],
    [null, false],
    [null, false],
  ]);
});

it('stackFrames() finds no frames in a message', () => {
  expect(stackFrames('Error: at least')).toEqual([]);
});
