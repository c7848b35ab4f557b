import type { Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { Conversation } from '../conversation.ts';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import { placeOf, type SourceRecord } from '../input/source-record.ts';
import { type Reading, refuse } from '../reading.ts';
import {
  bundled,
  isBundle,
  isDataItem,
  isEvalDefinition,
  isEvalRun,
  isOutputItem,
  isPage,
  otherKeys,
} from './evals-shapes.ts';
import type { RunTemplate } from './evals-state.ts';
import { type EvalItem, readItem } from './read-item.ts';

interface Place {
  readonly file: string;
  readonly line: number;
  readonly where: string;
}

/**
 * Reads evals of OpenAI's Evals API: definitions with their graders, runs with their data, saved output items, and files of
 * items. A definition applies to the items that come after it.
 */
export async function* openAiEvalsConversations(
  records: AsyncIterable<SourceRecord>,
  reading: Reading,
  file: string,
): AsyncGenerator<Conversation> {
  for await (const { value, line } of records) {
    if (!reading.where(value)) continue;
    yield* readPiece(value, { file, line, where: placeOf(file, line) }, reading);
  }
}

/** Reads the items in the data of runs that no output item was about, after all files. */
export function* restOfEvals(reading: Reading): Generator<Conversation> {
  for (const { record, template, place } of reading.evals.rest()) {
    yield* readOne(itemOf(record, template), place, reading);
  }
}

/** Pages in pages deeper than this are not read, because the file may be hostile. */
const DEEPEST = 4;

function* readPiece(value: unknown, place: Place, reading: Reading, depth = 0): Generator<Conversation> {
  const lose = (what: string): void => reading.losses.add(what, place.where);
  if ((isPage(value) || isBundle(value)) && depth < DEEPEST) {
    if (isPage(value)) {
      if (value.has_more === true) lose('pages after the last one in the file ("has_more"), which were not saved');
    } else for (const key of otherKeys(value)) lose(`the key "${key.slice(0, 60)}" beside evals and runs, left out`);
    const pieces = isPage(value) ? value.data : bundled(value);
    for (const [index, piece] of pieces.entries()) {
      yield* readPiece(piece, { ...place, where: `${place.where}, item ${index + 1}` }, reading, depth + 1);
    }
  } else if (isEvalDefinition(value)) {
    for (const key of ['metadata'] as const) {
      if (Object.keys(objectIn(value[key])).length > 0) lose(`the key "${key}" of evals, left out`);
    }
    if (!reading.evals.define(value, lose)) {
      const message = 'this eval comes after items that its graders judge: name its file before theirs';
      refuse(reading, [problemAt(place, message)], place.where);
    }
  } else if (isEvalRun(value)) {
    readRun(value, place, reading);
  } else if (isOutputItem(value)) {
    const { datasource_item_id: number, results, sample, eval_id: evalId, created_at: createdAt } = value;
    const { item, ownSample } = unwrapped(objectIn(value.datasource_item));
    yield* readOne(
      {
        item,
        sample: isObject(sample) && Object.keys(sample).length > 0 ? sample : ownSample,
        results: objectsIn(results),
        id: typeof number === 'number' || typeof number === 'string' ? `item-${number}` : undefined,
        evalId: typeof evalId === 'string' ? evalId : null,
        createdAt: typeof createdAt === 'number' ? createdAt : undefined,
        template: reading.evals.template(),
      },
      place,
      reading,
    );
  } else if (isDataItem(value)) {
    yield* readOne(itemOf(value, reading.evals.template()), place, reading);
  } else {
    const message =
      'this is nothing of OpenAI Evals: neither an eval with "testing_criteria", nor a run with "data_source", an output item, or a line with an "item"';
    refuse(reading, [problemAt(place, message)], place.where);
  }
}

/** Notes how a run makes messages of items, and the items that it holds. */
function readRun(run: Fields, place: Place, reading: Reading): void {
  const lose = (what: string): void => reading.losses.add(what, place.where);
  const data = objectIn(run.data_source);
  const { type: kind, template, item_reference: reference } = objectIn(data.input_messages);
  const own: RunTemplate = {
    evalId: typeof run.eval_id === 'string' ? run.eval_id : null,
    messages:
      kind === 'item_reference' && typeof reference === 'string'
        ? reference
        : Array.isArray(template)
          ? objectsIn(template)
          : null,
  };
  reading.evals.addRun(own);
  if (isObject(data.sampling_params)) lose('sampling parameters and tools of runs, left out: the agent has its own');
  if (Object.keys(objectIn(run.metadata)).length > 0) lose('the key "metadata" of runs, left out');
  const source = objectIn(data.source);
  if (source.type === 'file_content') {
    for (const [index, record] of objectsIn(source.content).entries()) {
      reading.evals.wait({ record, template: own, place: { ...place, where: `${place.where}, item ${index + 1}` } });
    }
  } else if (source.type === 'file_id') {
    const id = typeof source.id === 'string' ? source.id.slice(0, 60) : '';
    lose(`the data of the run, which is in another file (${id}): name that file after this one`);
  } else lose(`the data of the run, which are ${String(source.type).slice(0, 40)} that only OpenAI has, left out`);
}

function* readOne(item: EvalItem, place: Place, reading: Reading): Generator<Conversation> {
  reading.evals.read(item.item);
  const read = readItem(item, place, reading);
  if ('length' in read) refuse(reading, read, place.where);
  else yield read;
}

function itemOf(record: Fields, template: RunTemplate | null): EvalItem {
  const evalId = template?.evalId ?? null;
  return { item: objectIn(record.item), sample: objectIn(record.sample), evalId, template };
}

/** Separates an item and its sample, where the data had both. */
function unwrapped(data: Fields): { readonly item: Fields; readonly ownSample: Fields } {
  if (isDataItem(data)) return { item: objectIn(data.item), ownSample: objectIn(data.sample) };
  return { item: data, ownSample: {} };
}

function problemAt({ file, line }: Place, message: string): Problem {
  return { code: 'INVALID_DATA', file, path: `line ${line}`, message };
}
