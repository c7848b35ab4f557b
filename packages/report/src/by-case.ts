import type { RunCase } from '@agent-criteria/results';

/** Groups consecutive variants of a case. With a single agent, each group has one element. */
export async function* byCase(cases: AsyncIterable<RunCase>): AsyncGenerator<readonly [RunCase, ...RunCase[]]> {
  let current: [RunCase, ...RunCase[]] | undefined;
  for await (const one of cases) {
    const [first] = current ?? [];
    const isSame = first !== undefined && first.setId === one.setId && first.evalCase.evalId === one.evalCase.evalId;
    if (current !== undefined && isSame) current.push(one);
    else {
      if (current !== undefined) yield current;
      current = [one];
    }
  }
  if (current !== undefined) yield current;
}
