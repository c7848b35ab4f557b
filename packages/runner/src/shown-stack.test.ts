import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { shownStack, withShownStacks } from './shown-stack.ts';

it('shownStack() shows files of the project and of packages by relative paths, and only the names of others', () => {
  const stack = [
    'Error: refused at /etc/passwd:1:2',
    'twice',
    '    at find (file:///home/me/shop/orders.mjs?v=2:1:9)',
    '    at agent (/home/me/shop/desk/agent.ts:4:30)',
    '    at async /home/me/other/secret/main.js:7:1',
    '    at run (/home/me/shop/node_modules/.pnpm/a@1/node_modules/a/dist/index.js:1:2)',
    '    at process.task (node:internal/process/task_queues:103:5)',
    '    at async Promise.all (index 0)',
  ].join('\n');
  expect(shownStack(stack, ['/nowhere', '/home/me/shop']).split('\n')).toEqual([
    'Error: refused at /etc/passwd:1:2',
    'twice',
    '    at find (orders.mjs:1:9)',
    '    at agent (desk/agent.ts:4:30)',
    '    at async …/main.js:7:1',
    '    at run (node_modules/a/dist/index.js:1:2)',
    '    at process.task (node:internal/process/task_queues:103:5)',
    '    at async Promise.all (index 0)',
  ]);
});

it('shownStack() cuts long messages, long frames and deep stacks', () => {
  const deep = ['x'.repeat(9000), ...Array.from({ length: 90 }, () => `    at ${'f'.repeat(900)} (/a/b.js:1:1)`)];
  const lines = shownStack(deep.join('\n'), ['/a']).split('\n');
  expect(lines[0]).toHaveLength(4001);
  expect(lines[1]).toHaveLength(501);
  expect(lines).toHaveLength(52);
  expect(lines.at(-1)).toBe('    … 40 more');
});

it('shownStack() keeps no folder of a file outside of the project, whatever its name', () => {
  const name = fc.stringMatching(/^[\w .@-]{1,12}$/).filter((text) => /\w/.test(text) && text !== 'node_modules');
  fc.assert(
    fc.property(fc.array(name, { minLength: 2, maxLength: 5 }), fc.boolean(), (parts, isUrl) => {
      const path = `/outside/${parts.join('/')}`;
      const file = isUrl ? `file://${path.split('/').map(encodeURIComponent).join('/')}` : path;
      expect(shownStack(`Error: x\n    at f (${file}:1:2)`, ['/project'])).not.toContain('/outside');
    }),
    { numRuns: runs(500) },
  );
});

it('withShownStacks() changes the stacks of the ending and of spans, and nothing else', () => {
  const error = { code: 'AGENT_FAILED', message: 'no', stack: 'Error: no\n    at f (/p/a.ts:1:1)' } as const;
  const shown = { ...error, stack: 'Error: no\n    at f (a.ts:1:1)' };
  const span = { id: '1', kind: 'tool', name: 't', turn: 0, startedAt: 1 } as const;
  const inference = {
    sessionId: 's',
    invocations: [],
    state: { initial: null, final: null },
    trace: [span, { ...span, error }],
    ending: { by: 'error', of: 'agent', error },
  } as const;
  expect(withShownStacks(inference, ['/p'])).toEqual({
    ...inference,
    trace: [span, { ...span, error: shown }],
    ending: { by: 'error', of: 'agent', error: shown },
  });
});
