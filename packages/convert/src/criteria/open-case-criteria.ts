import { isDeepStrictEqual } from 'node:util';
import { type CaseCriteria, type Options, RUBRIC_TYPE } from './case-criteria.ts';
import type { RubricIds } from './rubric-ids.ts';
import { openTextChecks, type TextChecks } from './text-checks.ts';

/** Collects the criteria of one case. */
export interface CaseCriteriaBuilder {
  readonly text: TextChecks;
  /** Adds values to an option of a criterion that takes a list. */
  list(criterion: string, option: string, values: readonly string[]): void;
  rubric(name: string, statement: string): void;
  /** Sets what the answer is compared with. @returns `false` if it is compared with another text already. */
  reference(text: string): boolean;
  /** Sets an entry that only a config can have. @returns `false` if the criterion has another one already. */
  entry(criterion: string, options: Options): boolean;
  judge(model: string): void;
  build(): { readonly criteria: CaseCriteria; readonly reference: string | undefined };
}

export function openCaseCriteria(ids: RubricIds): CaseCriteriaBuilder {
  const text = openTextChecks();
  const lists = new Map<string, Map<string, Set<string>>>();
  const rubrics = new Map<string, string>();
  const entries = new Map<string, Options>();
  const judges = new Set<string>();
  let expected: string | undefined;
  return {
    text,
    list(criterion, option, values) {
      const options = lists.get(criterion) ?? new Map<string, Set<string>>();
      lists.set(criterion, options.set(option, new Set([...(options.get(option) ?? []), ...values])));
    },
    rubric: (name, statement) => void rubrics.set(ids(name, statement), statement),
    reference(wanted) {
      expected ??= wanted;
      return expected === wanted;
    },
    entry(criterion, options) {
      const known = entries.get(criterion) ?? options;
      entries.set(criterion, known);
      return isDeepStrictEqual(known, options);
    },
    judge: (model) => void judges.add(model),
    build() {
      const options = new Map<string, Options>();
      const ofText = text.options();
      if (ofText !== null) options.set('response_checks', ofText);
      for (const [criterion, own] of lists) {
        options.set(criterion, Object.fromEntries([...own].map(([name, values]) => [name, [...values]])));
      }
      const all = [...rubrics].map(([rubricId, textProperty]) => ({
        rubricId,
        rubricContent: { textProperty },
        type: RUBRIC_TYPE,
      }));
      return { criteria: { options, rubrics: all, entries, judges: [...judges] }, reference: expected };
    },
  };
}
