// The same test for vitest-evals: a harness, a table of cases, an assertion, no judge.
import { expect } from 'vitest';
import { createHarness, describeEval } from 'vitest-evals';

const cases = Array.from({ length: Number(process.env.BENCH_CASES) }, (_, index) => ({
  id: `case-${index}`,
  text: `message ${index}`,
}));

const harness = createHarness<string, string>({
  name: 'agent',
  run: async ({ input }) => {
    const output = `You said: ${input}`;
    return { output, events: [{ type: 'message', role: 'assistant', content: output }] };
  },
});

describeEval('trivial', { harness }, (it) => {
  it.for(cases)('$id', async ({ text }, { run }) => {
    const { output } = await run(text);
    expect(output).toBe(`You said: ${text}`);
  });
});
