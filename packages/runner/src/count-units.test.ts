import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countUnits } from './count-units.ts';
import type { NewEvent, RunEvent } from './engine/events.ts';

const key = (caseId: string, repeat: number) => ({ setId: 's', caseId, repeat });
const result = (caseId: string) => ({ setId: 's', caseId, verdict: 'passed', criteria: [], units: [] }) as const;
const ended = { by: 'end-of-case' } as const;

function noted(events: readonly NewEvent[], judged = true) {
  const units = countUnits({ judged });
  for (const event of events) units.note({ at: 1000, ...event } as RunEvent);
  return units;
}

it('countUnits() ends with every unit done, in whichever order cases interleave and however early they stop', () => {
  const unit = (caseId: string, repeat: number): NewEvent[] => [
    { type: 'unit-started', key: key(caseId, repeat) },
    { type: 'unit-inferred', key: key(caseId, repeat), ending: ended, startedAt: 0 },
    { type: 'unit-scored', key: key(caseId, repeat), startedAt: 0 },
  ];
  const cases = fc.array(fc.record({ known: fc.boolean(), made: fc.integer({ min: 0, max: 3 }) }), { maxLength: 5 });
  fc.assert(
    fc.property(cases, fc.infiniteStream(fc.nat(4)), (all, choices) => {
      const queues = all.map(({ known, made }, index): NewEvent[] =>
        known
          ? [{ type: 'case-known', setId: 's', caseId: `${index}`, verdict: 'passed' }]
          : [
              ...Array.from({ length: made }, (_, repeat) => unit(`${index}`, repeat)).flat(),
              { type: 'case-finished', result: result(`${index}`) },
            ],
      );
      const units = noted([{ type: 'run-started', folder: null, units: all.length * 3, repeats: 3 }]);
      while (queues.some(({ length }) => length > 0)) {
        const open = queues.filter(({ length }) => length > 0);
        const event = open[(choices.next().value ?? 0) % open.length]?.shift();
        if (event !== undefined) units.note({ at: 2000, ...event } as RunEvent);
        const { done, running, total } = units.counts();
        expect(done + running).toBeLessThanOrEqual(total);
      }
      const knownCases = all.filter(({ known }) => known).length;
      expect(units.counts()).toEqual({
        done: all.length * 3,
        doneBefore: knownCases * 3,
        total: all.length * 3,
        running: 0,
        startedAt: 1000,
      });
    }),
  );
});

it('countUnits() counts a unit as done without a score if it ended in an error, or if the run does not score', () => {
  const started: NewEvent = { type: 'run-started', folder: null, units: 2, repeats: 1 };
  const inferred = (ending: object) =>
    ({ type: 'unit-inferred', key: key('a', 0), ending, startedAt: 0 }) as unknown as NewEvent;
  const error = { by: 'error', of: 'agent', error: { code: 'X', message: '' } };
  expect(noted([started, inferred(error)]).counts().done).toBe(1);
  expect(noted([started, inferred(ended)]).counts().done).toBe(0);
  expect(noted([started, inferred(ended)]).isDone({ setId: 's', caseId: 'a' })).toBe(false);
  expect(noted([started, inferred(ended)], false).isDone({ setId: 's', caseId: 'a' })).toBe(true);
});
