import { join } from 'node:path';
import { expect, it } from 'vitest';
import { strictness } from '../strictness.ts';
import { problemsIn, programOf } from '../type-check.ts';
import { type Framework, pageOf, pages } from './fixtures/pages.ts';

const texts = Object.fromEntries(
  (Object.keys(pages) as Framework[]).flatMap((framework) =>
    Object.entries(pageOf(framework).programs).map(([name, code]) => [
      join(import.meta.dirname, '.snippets', 'types', framework, name),
      code,
    ]),
  ),
);

const langgraph = join(import.meta.dirname, '.snippets', 'types', 'langgraph');
texts[join(langgraph, 'langchain.ts')] = `import { createAgent } from 'langchain';
import { underTest } from './agent.eval.ts';
export default underTest(createAgent({ model: 'gpt-6-luna', tools: [] }));
`;

it.each(Object.entries(strictness))(
  'the agents and adapters of the pages compile under %s',
  { timeout: 120_000 },
  (_name, flags) => {
    const files = Object.keys(texts);
    expect(problemsIn(programOf([], texts, flags), files)).toEqual([]);
  },
);
