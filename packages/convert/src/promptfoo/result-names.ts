import { sha256 } from '@agent-criteria/calls';
import { isObject } from '@agent-criteria/formats';
import { type Fields, objectIn } from '../fields.ts';

/** The id of the case of a result, and which repeat of it the result is. */
export interface ResultName {
  readonly id: string;
  /** Zero-based. Default: the case is not repeated. */
  readonly repeat?: number | undefined;
}

/**
 * Names results by their test. Results of the same test, prompt and provider are repeats of a case where each has as many;
 * otherwise each is a case.
 *
 * @param all All results, or `null` where they are read one by one.
 */
export function resultNames(all: readonly unknown[] | null): (result: Fields) => ResultName {
  const counts = new Map<string, number>();
  for (const result of all ?? []) {
    if (isObject(result)) counts.set(keyOf(result), (counts.get(keyOf(result)) ?? 0) + 1);
  }
  const [often = 1] = counts.values();
  const isRepeated = often > 1 && [...counts.values()].every((count) => count === often);
  const known = new Map<string, { readonly id: string; repeats: number }>();
  const taken = new Set<string>();
  return (result) => {
    const wanted = nameOf(result);
    if (!isRepeated) return { id: wanted };
    const key = keyOf(result);
    const own = known.get(key);
    if (own !== undefined) {
      own.repeats += 1;
      return { id: own.id, repeat: own.repeats };
    }
    let id = wanted;
    for (let number = 2; taken.has(id); number++) id = `${wanted} (${number})`;
    taken.add(id);
    known.set(key, { id, repeats: 0 });
    return { id, repeat: 0 };
  };
}

/** Returns the name of the test of a result, or `null` if nothing names it. */
export function testName(result: Fields): string | null {
  const texts = [objectIn(result.testCase).description, objectIn(result.test).description, result.description];
  const described = texts.find((one): one is string => typeof one === 'string' && one.trim() !== '');
  if (described !== undefined) return described.trim().slice(0, 150);
  return typeof result.testIdx === 'number' ? `test ${result.testIdx + 1}` : null;
}

function nameOf(result: Fields): string {
  const { promptIdx } = result;
  const prompt = typeof promptIdx === 'number' && promptIdx > 0 ? ` (prompt ${promptIdx + 1})` : '';
  return `${testName(result) ?? 'test'}${prompt}`;
}

function keyOf({ prompt, vars, provider, testCase }: Fields): string {
  return sha256(JSON.stringify([prompt, vars, provider, objectIn(testCase).assert]));
}
