import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { type CaseStatus, caseStatus } from './case-status.ts';
import type { UnitState } from './journal.ts';

/** Few values, so that tickets often coincide. */
const ticket = fc.integer({ min: 1, max: 3 });
const seen = fc.constantFrom('then', 'now');
const verdict = fc.constantFrom('passed' as const, 'failed' as const);
const state = (repeats: number): fc.Arbitrary<UnitState | undefined> =>
  fc.option(
    fc.record({
      key: fc.constant({ setId: 's', caseId: 'c', repeat: 0 }),
      highest: fc.constant(3),
      inferred: fc.option(fc.record({ ticket, seen, failed: fc.boolean() })),
      scored: fc.option(
        fc.record({
          ticket,
          of: ticket,
          unjudged: fc.boolean(),
          case: fc.option(fc.record({ of: fc.array(ticket, { minLength: repeats, maxLength: repeats }), verdict })),
        }),
      ),
    }),
    { nil: undefined },
  );
const states = fc
  .integer({ min: 0, max: 3 })
  .chain((repeats) => fc.array(state(repeats), { minLength: repeats, maxLength: repeats }));

/** Cases with a verdict: every unit is scored as it was inferred, and one of them, or several, carry the case's result. */
const judged = fc.integer({ min: 1, max: 3 }).chain((repeats) =>
  fc
    .record({
      units: fc.array(
        fc.record({ inferred: ticket, scored: ticket, seen, failed: fc.boolean(), unjudged: fc.boolean() }),
        {
          minLength: repeats,
          maxLength: repeats,
        },
      ),
      carriers: fc.subarray(
        Array.from({ length: repeats }, (_, repeat) => repeat),
        { minLength: 1 },
      ),
      verdict,
    })
    .map(({ units, carriers, verdict }): UnitState[] => {
      const of = units.map(({ scored }) => scored);
      return units.map(({ inferred, scored, seen, failed, unjudged }, repeat) => ({
        key: { setId: 's', caseId: 'c', repeat: 0 },
        highest: 3,
        inferred: { ticket: inferred, seen, failed },
        scored: { ticket: scored, of: inferred, unjudged, case: carriers.includes(repeat) ? { of, verdict } : null },
      }));
    }),
);

/** States the rule differently: a result counts if none of the records it was made from has since been replaced. */
function expected(all: readonly (UnitState | undefined)[], now: string | null): Pick<CaseStatus, 'verdict'> {
  const current = all.every(
    (one) => one?.inferred && (now === null || one.inferred.seen === now) && one.scored?.of === one.inferred.ticket,
  );
  const results = all.flatMap((one) => (one?.scored?.case ? [one.scored.case] : []));
  const made = results.find(({ of }) => of.every((made, repeat) => all[repeat]?.scored?.ticket === made));
  return { verdict: current && all.length > 0 ? (made?.verdict ?? null) : null };
}

describe('caseStatus()', () => {
  it('derives the status from whichever records exist', () => {
    fc.assert(
      fc.property(states, fc.option(seen), (all, now) => {
        const standing = caseStatus(all, now);
        expect(standing.verdict).toBe(expected(all, now).verdict);
        expect(standing.units).toHaveLength(all.length);
        if (standing.completedBy !== null)
          expect(all[standing.completedBy]?.scored?.case?.verdict).toBe(standing.verdict);
      }),
    );
  });

  it('uses the longest run of repeats that has a result if a case may stop early', () => {
    const mixed = fc
      .tuple(state(1), state(2), state(3), state(4))
      .chain((all) => fc.shuffledSubarray(all, { minLength: 4, maxLength: 4 }));
    fc.assert(
      fc.property(mixed, fc.option(seen), (all, now) => {
        const beginnings = [4, 3, 2, 1].map((length) => caseStatus(all.slice(0, length), now));
        const longest = beginnings.find(({ verdict }) => verdict !== null);
        expect(caseStatus(all, now, true)).toEqual(longest ?? caseStatus(all, now));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('drops a result once one of its units has been inferred or scored again', () => {
    fc.assert(
      fc.property(judged, fc.nat(), (all, at) => {
        expect(caseStatus(all, null).verdict).not.toBeNull();
        const index = at % all.length;
        const again = all.map((one, repeat) =>
          one?.inferred && repeat === index ? { ...one, inferred: { ...one.inferred, ticket: 9 } } : one,
        );
        expect(caseStatus(again, null)).toMatchObject({ verdict: null, completedBy: null });
        const rescored = all.map((one, repeat) =>
          one?.scored && repeat === index ? { ...one, scored: { ...one.scored, ticket: 9, case: null } } : one,
        );
        expect(caseStatus(rescored, null).verdict).toBeNull();
      }),
    );
  });
});
