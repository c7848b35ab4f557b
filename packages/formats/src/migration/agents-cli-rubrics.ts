import type { Rubric } from '../data/model.ts';
import { type Reading, readList, textAt } from './agents-cli-reading.ts';
import { entriesAt, explain, fieldAt, itemsAt, type Place, pathOf, take } from './left-out.ts';

const TYPES = ['FINAL_RESPONSE_QUALITY', 'TOOL_USE_QUALITY', 'TRAJECTORY_QUALITY', 'INSTRUCTION_ADHERENCE'];

/**
 * Reads a case's rubrics: its `rubrics`, as strings or objects, and those in its `rubric_groups`. A rubric without a
 * known type gets the type that its group is named after, or else FINAL_RESPONSE_QUALITY, so that a criterion judges
 * it.
 */
export function readRubrics(reading: Reading, row: Place): readonly Rubric[] {
  const found: Rubric[] = [];
  const ids = new Set<string>();
  const add = (place: Place, group: string | null, index: number): void => {
    const rubric = readRubric(reading, place, group, index);
    if (rubric === null) return;
    const rubricId = freeId(rubric.rubricId, group, ids);
    if (rubricId !== rubric.rubricId) {
      const message = `another rubric of the case has the id "${rubric.rubricId}", so this one is called "${rubricId}"`;
      reading.warnings.add('DUPLICATE_ID', pathOf(place), () => message);
    }
    ids.add(rubricId);
    found.push({ ...rubric, rubricId });
  };
  for (const [index, place] of readList(reading, fieldAt(row, 'rubrics')).entries()) add(place, null, index);
  for (const [name, group] of entriesAt(fieldAt(row, 'rubricGroups'))) {
    const rubrics = readList(reading, fieldAt(group, 'rubrics'));
    // The id repeats the key.
    const id = fieldAt(group, 'groupId');
    if (id?.value === name && rubrics.length > 0) take(id);
    for (const [index, place] of rubrics.entries()) add(place, name, index);
  }
  const groups = itemsOfGroups(row);
  if (groups.length > 1) {
    const message = `the rubrics of the groups ${groups.join(', ')} are judged together; agents-cli judges the one that its config chooses`;
    reading.warnings.add('INVALID_CONFIG', `${pathOf(row)}.rubric_groups`, () => message);
  }
  return found;
}

function itemsOfGroups(row: Place): readonly string[] {
  return entriesAt(fieldAt(row, 'rubricGroups')).flatMap(([name, group]) =>
    itemsAt(fieldAt(group, 'rubrics')).length > 0 ? [name] : [],
  );
}

function readRubric(reading: Reading, place: Place, group: string | null, index: number): Rubric | null {
  const generated = group === null ? `rubric_${index}` : `${group}_${index + 1}`;
  const ofGroup = TYPES.find((known) => known === group?.toUpperCase()) ?? 'FINAL_RESPONSE_QUALITY';
  if (typeof place.value === 'string') {
    return { rubricId: generated, rubricContent: { textProperty: take(place) as string }, type: ofGroup };
  }
  const property = fieldAt(fieldAt(place, 'content'), 'property');
  const text =
    textIn(fieldAt(place, 'rubricContent'), 'textProperty') ??
    textIn(property, 'description') ??
    textIn(fieldAt(place, 'content'), 'text') ??
    textAt(place, 'description', 'text');
  if (text === null) {
    const where = group === null ? 'rubric_content.text_property' : 'content.property.description';
    reading.problems.add('INVALID_DATA', pathOf(place), () => `a rubric needs a text at ${where}`);
    return null;
  }
  const described = textAt(place, 'description');
  const written = fieldAt(place, 'type');
  const type = TYPES.find((known) => known === String(written?.value).toUpperCase());
  if (written !== null && type !== undefined) take(written);
  else
    explain(
      written,
      `no criterion judges rubrics of the type "${String(written?.value)}": it is left out, and the rubric is about ${ofGroup}`,
    );
  return {
    rubricId: textAt(place, 'rubricId', 'id') || generated,
    rubricContent: { textProperty: text },
    ...(described === null || described === text ? {} : { description: described }),
    type: type ?? ofGroup,
  };
}

function textIn(place: Place | null, name: string): string | null {
  return place === null ? null : textAt(place, name);
}

function freeId(id: string, group: string | null, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  const base = group === null ? id : `${group}_${id}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? base : `${base}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
