import { CriteriaError, type UserBehavior } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { builtInPersonas, findPersona } from './personas.ts';

describe('findPersona()', () => {
  it("finds ADK's ids and ATTACKER, case-sensitively", () => {
    expect(builtInPersonas.map(({ id }) => id)).toEqual(['EXPERT', 'NOVICE', 'EVALUATOR', 'ATTACKER']);
    for (const persona of builtInPersonas) expect(findPersona(persona.id)).toBe(persona);
  });

  it('returns a given persona unchanged, and null for none', () => {
    const own = { id: 'OWN', description: 'Mine.', behaviors: [] };
    expect(findPersona(own)).toBe(own);
    expect(findPersona(null)).toBeNull();
    expect(findPersona(undefined)).toBeNull();
  });

  it.each(['novice', 'EXPRT', '', '__proto__'])('rejects %j with the list of known ids', (id) => {
    expect(() => findPersona(id)).toThrow(
      /no persona with the id .*\(known: EXPERT, NOVICE, EVALUATOR, ATTACKER\); use one/,
    );
    expect(() => findPersona(id)).toThrow(expect.objectContaining({ code: 'INVALID_DATA' }));
  });

  it('suggests an id for a misspelt one', () => {
    expect(() => findPersona('EXPRT')).toThrow(/did you mean "EXPERT"/);
    try {
      findPersona('x');
    } catch (error) {
      expect(CriteriaError.is(error)).toBe(true);
    }
  });
});

describe('the built-in personas', () => {
  it("with ADK's ids are composed of eleven behaviours, as in ADK", () => {
    const ofAdk = builtInPersonas.slice(0, 3);
    const mixes = ofAdk.map(({ behaviors }) => behaviors.length);
    expect(mixes).toEqual([6, 5, 5]);
    expect(new Set(ofAdk.flatMap(({ behaviors }) => behaviors.map(({ name }) => name))).size).toBe(11);
  });

  it('each cover opening, answers, corrections, ending and tone', () => {
    const [expert, novice, evaluator] = builtInPersonas.map(({ behaviors }) => behaviors.map(({ name }) => name));
    expect(expert?.filter((name) => evaluator?.includes(name))).toHaveLength(2);
    expect(novice?.filter((name) => evaluator?.includes(name))).toHaveLength(3);
    expect(expert?.filter((name) => novice?.includes(name))).toEqual([]);
  });

  it('have no empty texts', () => {
    for (const { description, behaviors } of builtInPersonas) {
      expect(description).toMatch(/\.$/);
      for (const { name, description: what, behaviorInstructions, violationRubrics } of behaviors) {
        for (const text of [name, what, ...behaviorInstructions, ...violationRubrics]) expect(text.trim()).not.toBe('');
        expect(behaviorInstructions.length).toBeGreaterThan(0);
        expect(violationRubrics.length).toBeGreaterThan(0);
      }
    }
  });

  it('are deeply frozen', () => {
    const persona = findPersona('EXPERT')!;
    expect(() => (persona.behaviors as UserBehavior[]).pop()).toThrow(TypeError);
    expect(() => (persona.behaviors[0]!.violationRubrics as string[]).push('x')).toThrow(TypeError);
  });
});
