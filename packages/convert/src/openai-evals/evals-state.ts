import { sha256 } from '@agent-criteria/calls';
import type { Conversions } from '../criteria/conversions.ts';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import { type ApplyGrader, readGrader } from './graders.ts';

/** The definition of an eval, as far as it is needed to read its items. */
export interface EvalDefinition {
  readonly id: string | null;
  readonly graders: readonly ApplyGrader[];
  /** The text of the definition, to see which fields of items it uses. */
  readonly text: string;
}

/** How the items of a run become messages. */
export interface RunTemplate {
  readonly evalId: string | null;
  /** Messages with placeholders, the path of the messages in an item, or `null` if the run says neither. */
  readonly messages: readonly Fields[] | string | null;
}

/** An item in the data source of a run, read after all output items, which may be about the same. */
export interface WaitingItem {
  readonly record: Fields;
  readonly template: RunTemplate;
  readonly place: { readonly file: string; readonly line: number; readonly where: string };
}

/** Evals and runs of OpenAI found so far in the files of an import. */
export interface EvalsState {
  /** @returns `false` if the definition comes after items that needed it. */
  define(definition: Fields, lose: (what: string) => void): boolean;
  definitionOf(evalId: string | null): EvalDefinition | null;
  /** Returns the template for items of a data file. */
  template(): RunTemplate | null;
  addRun(template: RunTemplate): void;
  wait(item: WaitingItem): void;
  /** Notes that an item was read. */
  read(item: Fields): void;
  /** Returns the waiting items that were not read, and forgets them. */
  rest(): readonly WaitingItem[];
}

export function openEvalsState(conversions: Conversions): EvalsState {
  const definitions: EvalDefinition[] = [];
  const templates: RunTemplate[] = [];
  let waiting: WaitingItem[] = [];
  const read = new Set<string>();
  return {
    define(value, lose) {
      if (read.size > 0) return false;
      const graders = objectsIn(value.testing_criteria).flatMap(
        (grader) => readGrader(grader, conversions, lose) ?? [],
      );
      const id = typeof value.id === 'string' ? value.id : null;
      definitions.push({ id, graders, text: JSON.stringify(value.testing_criteria) });
      return true;
    },
    definitionOf: (evalId) =>
      definitions.find(({ id }) => id !== null && id === evalId) ??
      definitions.find(({ id }) => definitions.length === 1 && (id === null || evalId === null)) ??
      null,
    template: () => templates.at(-1) ?? null,
    addRun: (template) => void templates.push(template),
    wait: (item) => void waiting.push(item),
    read: (item) => void read.add(keyOf(item)),
    rest() {
      const left = waiting.filter(({ record }) => !read.has(keyOf(objectIn(record.item))));
      waiting = [];
      return left;
    },
  };
}

function keyOf(item: Fields): string {
  return sha256(JSON.stringify(item)).slice(0, 32);
}
