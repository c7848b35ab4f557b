import { describe, expect, it } from 'vitest';
import { userPlace, userStack } from './user-stack.ts';

const own = new URL('../../../runner/src/engine/converse.ts', import.meta.url);

describe('userStack', () => {
  it('keeps the message and the user’s frames above the first frame of our packages', () => {
    const stack = [
      'TypeError: no menu',
      'on two lines',
      '    at read (/home/ann/app/menu.ts:3:7)',
      '    at Array.map (node:internal/array:1:1)',
      '    at eval_evalModule (/home/ann/app/node_modules/.pnpm/jiti@2.7.0/node_modules/jiti/dist/jiti.cjs:1:2)',
      '    at async file:///home/ann/app/agent.mjs:8:2',
      `    at step (${own.href}:1:1)`,
      '    at theirs (/home/ann/app/test.ts:1:1)',
    ].join('\n');
    expect(userStack({ message: 'no menu', stack })).toBe(
      'TypeError: no menu\non two lines\n    at read (/home/ann/app/menu.ts:3:7)\n    at async file:///home/ann/app/agent.mjs:8:2',
    );
  });

  it('stops at the first frame of our packages if they are installed in node_modules', () => {
    const stack =
      'Error: x\n    at a (/app/a.ts:1:1)\n    at b (/app/node_modules/@agent-criteria/runner/dist/index.js:1:1)';
    expect(userStack({ message: 'x', stack })).toBe('Error: x\n    at a (/app/a.ts:1:1)');
  });

  it('returns only the message if there is no stack', () => {
    expect(userStack({ message: 'no menu' })).toBe('no menu');
    expect(userStack({ message: 'no menu', stack: 'Error: no menu' })).toBe('Error: no menu');
  });
});

describe('userPlace', () => {
  it.each([
    ['    at read (/home/ann/my app/menu.ts:3:7)', '/home/ann/my app/menu.ts:3:7'],
    ['    at /home/ann/agent.ts:8:2', '/home/ann/agent.ts:8:2'],
    ['    at async file:///home/ann/my%20app/agent.mjs:8:2', '/home/ann/my app/agent.mjs:8:2'],
    ['    at async main (file:///home/ann/agent.mjs:8:2)', '/home/ann/agent.mjs:8:2'],
    ['    at Array.map (<anonymous>)', undefined],
    ['    at node:internal/modules:1:1', undefined],
  ])('finds the location in %j', (frame, place) => {
    expect(userPlace({ message: 'x', stack: `Error: x\n${frame}` })).toBe(place);
  });
});
