import { CriteriaError } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { secretMask } from '@agent-criteria/masking';
import { isLabel, type Label, labelledOf } from '@agent-criteria/results';
import { statSync } from '../node-fs.ts';
import { layout, listScorings } from './layout.ts';
import { scanLines } from './line-reader.ts';
import { openLines } from './line-writer.ts';

/** Writes labels of a scoring, each at once. */
export interface LabelWriter {
  /** @throws CriteriaError WRITE_FAILED, INVALID_DATA for what is not a label. */
  add(label: Label): void;
  close(): void;
}

/**
 * Every label of a scoring in the order in which they were given, also those that later ones replace: `currentLabels` has those
 * that count. Secrets in their reasons are masked. A last line that is not complete yet is left out.
 *
 * @throws CriteriaError FILE_UNREADABLE; INVALID_DATA where lines are damaged.
 */
export function readLabels(folder: string, scoring: number): readonly Label[] {
  const file = layout.labels(folder, scoring);
  const labels: Label[] = [];
  const mask = secretMask({ environment: process.env });
  let others = 0;
  const broken = scanLines(file, (value) => {
    if (isLabel(value)) labels.push({ ...value, reason: mask.json(value.reason) });
    else others += 1;
  });
  const damaged = broken + others;
  if (damaged === 0) return labels;
  const what = damaged === 1 ? '1 line is not a label' : `${damaged} lines are not labels`;
  const message = `${what}: correct or remove ${damaged === 1 ? 'it' : 'them'} (numbers without ${damaged === 1 ? 'it' : 'them'} could be wrong)`;
  throw new CriteriaError({ code: 'INVALID_DATA', file, message });
}

/**
 * Opens the labels of a scoring for writing; the file is made with the first label.
 * @throws CriteriaError RUN_NOT_FOUND where the run has no such scoring.
 */
export function openLabels(folder: string, scoring: number): LabelWriter {
  if (!listScorings(folder).includes(scoring)) {
    const message = `the run has no scoring ${scoring} to label; judge it with agent-criteria score`;
    throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: folder, message });
  }
  const file = layout.labels(folder, scoring);
  const mask = secretMask({ environment: process.env });
  let lines: ReturnType<typeof openLines> | null = null;
  let size = 0;
  return {
    add(label) {
      if (!isLabel(label)) throw new CriteriaError({ code: 'INVALID_DATA', file, message: 'this is not a label' });
      // Somebody else may have labelled meanwhile, in a studio for one: what came is not written over.
      if (lines !== null && statSync(file, { throwIfNoEntry: false })?.size !== size) {
        lines.close();
        lines = null;
      }
      lines ??= openLines(file);
      const { label: given, by, at, drawn } = label;
      // People paste what they saw.
      const reason = mask.json(label.reason);
      const how = drawn === undefined ? {} : { drawn };
      const place = lines.append(stringifyJson({ ...labelledOf(label), label: given, reason, by, at, ...how }));
      size = place.offset + place.length + 1;
    },
    close() {
      lines?.close();
      lines = null;
    },
  };
}
