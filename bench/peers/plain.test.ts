// A plain version of the same test, without any evaluation tool. `expect` and `it` are globals, so that any version of
// Vitest can run it.
const cases = Array.from({ length: Number(process.env.BENCH_CASES) }, (_, index) => ({
  id: `case-${index}`,
  text: `message ${index}`,
}));
const agent = async (message: string): Promise<string> => `You said: ${message}`;

it.each(cases)('$id', async ({ text }) => {
  expect(await agent(text)).toBe(`You said: ${text}`);
});
