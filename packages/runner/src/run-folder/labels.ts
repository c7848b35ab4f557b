import { CriteriaError } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { secretMask } from '@agent-criteria/masking';
import { isLabel, type Label, labelledOf } from '@agent-criteria/results';
import { existsSync, statSync } from '../node-fs.ts';
import { layout, listScorings } from './layout.ts';
import { scanLines } from './line-reader.ts';
import { openLines } from './line-writer.ts';

/** Writes labels of a run. Each is written immediately. */
export interface LabelWriter {
  /** @throws CriteriaError WRITE_FAILED, or INVALID_DATA if the value is not a label. */
  add(label: Label): void;
  close(): void;
}

/**
 * Reads all labels of a scoring pass in the order in which they were given, including superseded ones (see
 * `currentLabels`). The labels that came with an import are first, because they are older. Masks secrets in their
 * reasons. Skips an incomplete last line.
 *
 * @throws CriteriaError FILE_UNREADABLE, or INVALID_DATA for damaged lines.
 */
export function readLabels(folder: string, scoring: number): readonly Label[] {
  return [layout.runLabels(folder), layout.labels(folder, scoring)].flatMap(labelsIn);
}

function labelsIn(file: string): readonly Label[] {
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

/** Whether people have labelled verdicts of any scoring pass of a run. */
export function hasLabels(folder: string): boolean {
  return listScorings(folder).some((scoring) => existsSync(layout.labels(folder, scoring)));
}

/**
 * Opens a scoring pass's labels for writing. The file is created along with the first label.
 * @throws CriteriaError RUN_NOT_FOUND if the run has no such scoring pass.
 */
export function openLabels(folder: string, scoring: number): LabelWriter {
  if (!listScorings(folder).includes(scoring)) {
    const message = `the run has no scoring ${scoring} to label; judge it with agent-criteria score`;
    throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: folder, message });
  }
  return labelWriter(layout.labels(folder, scoring));
}

/** Opens the labels of an imported run's conversations, which count for every scoring pass, for writing. */
export function openRunLabels(folder: string): LabelWriter {
  return labelWriter(layout.runLabels(folder));
}

function labelWriter(file: string): LabelWriter {
  const mask = secretMask({ environment: process.env });
  let lines: ReturnType<typeof openLines> | null = null;
  let size = 0;
  return {
    add(label) {
      if (!isLabel(label)) throw new CriteriaError({ code: 'INVALID_DATA', file, message: 'this is not a label' });
      // Another process, such as the studio, may have written labels in the meantime. Those must not be overwritten.
      if (lines !== null && statSync(file, { throwIfNoEntry: false })?.size !== size) {
        lines.close();
        lines = null;
      }
      lines ??= openLines(file);
      const { label: given, by, at, drawn } = label;
      // People may paste secrets into reasons.
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
