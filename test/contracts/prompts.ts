import { createHash } from 'node:crypto';
import { pretty } from '../corpus/pretty.ts';
import type { Json, RecordedRun } from './recorded-runs.ts';

/**
 * Returns one text file for each caller of models and services, with every request in full and the hashes by which it
 * is found.
 */
export function prompts(runs: readonly RecordedRun[]): Readonly<Record<string, string>> {
  const byCaller = new Map<string, Map<string, string[]>>();
  for (const run of runs) {
    for (const call of run.calls.filter(({ request }) => request !== undefined)) {
      const requests = byCaller.get(call.caller) ?? new Map<string, string[]>();
      byCaller.set(call.caller, requests);
      const { text, place } = describe(run, call);
      requests.set(text, [...(requests.get(text) ?? []), place]);
    }
  }
  return Object.fromEntries(
    [...byCaller].map(([caller, requests]) => {
      const texts = [...requests].map(([text, places]) => `== ${places.sort().join('\n== ')}\n${text}`);
      return [`${caller}.txt`, factored(texts.sort())];
    }),
  );
}

function describe(run: RecordedRun, call: Json) {
  const { key, turn, sample, request } = call;
  const text = run.texts.get(request) ?? '';
  const recorded = run.recording.filter(
    (line) =>
      line.caseId === key.caseId &&
      (line.by ?? line.caller) === call.caller &&
      (line.turn ?? null) === (turn ?? null) &&
      line.sample === sample,
  );
  if (recorded.length === 0) throw new Error(`${run.name}: the recording has no answer for ${call.caller}`);
  const keys = recorded.map((line) => `recorded as ${line.key}`).sort();
  return {
    place: [run.name, key.caseId, turn === undefined ? 'conversation' : `turn ${turn}`].join(' · '),
    text: [`request ${sha256(text)}`, ...keys, shown(text)].join('\n'),
  };
}

function shown(text: string): string {
  const { system, messages, ...rest }: Json = JSON.parse(text);
  if (messages === undefined) return pretty(JSON.parse(text));
  const parts = messages.flatMap(({ role, parts }: Json) =>
    parts.map(({ text, ...other }: Json) =>
      [`[${role}]`, text, ...(Object.keys(other).length > 0 ? [JSON.stringify(other)] : [])].join('\n'),
    ),
  );
  return [`[system]\n${system ?? ''}`, ...parts, '[settings]', pretty(rest)].join('\n');
}

/** Writes text shared by several requests, such as the instructions, only once. */
function factored(requests: readonly string[]): string {
  const systems: string[] = [];
  const texts = requests.map((request) =>
    request.replace(/\[system\]\n([\s\S]*?)\n(?=\[user\]\n)/, (_, system: string) => {
      if (!systems.includes(system)) systems.push(system);
      return `[system ${systems.indexOf(system) + 1}]\n`;
    }),
  );
  const shared = systems.map((system, index) => `== system ${index + 1} ${sha256(system)}\n${system}`);
  return `${[...shared, ...texts].map(visible).join('\n\n')}\n`;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Escapes characters that an editor would hide or change. */
function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
