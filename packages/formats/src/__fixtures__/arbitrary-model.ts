import fc from 'fast-check';
import { isObject, type JsonSchema } from '../json.ts';
import { closest } from '../schema/did-you-mean.ts';
import { alternatives, formOf } from '../schema/structure.ts';
import { type ModelName, modelSchema } from '../data/model-schema.ts';

// Generates values that a model allows, with unusual keys and strings.

const hostileKeys = [
  ...['constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', '__proto', 'then', 'toJSON_', '$ref'],
  ...['eval_id', 'evalId', 'user_content', 'userContent', 'args', 'state', 'tool_uses', 'invocationEvents'],
  ...['', ' ', '0', '1', 'a.b', 'a[0]', '_a', 'A', 'aB_cD', 'ключ', '🗝'],
];
const hostileKey = fc
  .oneof(fc.constantFrom(...hostileKeys), fc.string({ maxLength: 6 }))
  .filter((key) => key !== '__proto__');
const hostileJson = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, -1, 1.5, '', 'text'),
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(hostileKey, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

/** @param extras Adds unknown keys where the model allows them. */
export function arbitraryModel(name: ModelName, options: { readonly extras: boolean }): fc.Arbitrary<unknown> {
  const root = modelSchema(name);

  function any(schema: JsonSchema): fc.Arbitrary<unknown> {
    const branches = alternatives(schema, root);
    return fc.oneof(...branches.map((branch) => one(branch, branches)));
  }

  function one(schema: JsonSchema, branches: readonly JsonSchema[]): fc.Arbitrary<unknown> {
    if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...schema.enum);
    if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => one({ ...schema, type }, branches)));
    switch (schema.type) {
      case 'string':
        return fc.string({ maxLength: 8 });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'integer':
        return fc.nat();
      case 'number':
        if (typeof schema.maximum === 'number') return fc.constantFrom(schema.maximum / 4, schema.maximum);
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'array':
        if (Array.isArray(schema.prefixItems)) return fc.tuple(...schema.prefixItems.map(any));
        return fc.array(isObject(schema.items) ? any(schema.items) : hostileJson, { maxLength: 2 });
      case 'object':
        return object(schema, branches);
      default:
        return hostileJson;
    }
  }

  function object(schema: JsonSchema, branches: readonly JsonSchema[]): fc.Arbitrary<unknown> {
    const shape = formOf(schema).shape;
    const forms = branches.map((branch) => formOf(branch).shape);
    const known = fc.record(Object.fromEntries(shape.properties.map(({ name, schema: of }) => [name, any(of)])), {
      requiredKeys: shape.required.map(({ name }) => name),
      noNullPrototype: true,
    });
    const isMap = shape.properties.length === 0;
    if (!isMap && (!options.extras || shape.isOwn)) return known;
    // A key that looks like a misspelling is rejected.
    const names = forms.flatMap((form) => form.properties.map((property) => property.name));
    const isOther = (key: string) => !forms.some((form) => form.byKey.has(key)) && closest(key, names) === undefined;
    const other = isMap ? hostileKey : hostileKey.filter(isOther);
    const value = shape.others === null ? hostileJson : any(shape.others);
    const extra = fc.dictionary(other, value, { maxKeys: isMap ? 3 : 1, noNullPrototype: true });
    // Either before or after the known keys.
    return fc.tuple(known, extra, fc.boolean()).map(([a, b, first]) => (first ? { ...b, ...a } : { ...a, ...b }));
  }

  return any(root);
}

/** Generates eval sets as `parseEvalSet` returns them: all turns in ADK's format. */
export function arbitraryEvalSet(): fc.Arbitrary<Record<string, unknown>> {
  return arbitraryEvalSetInput().map((set) => {
    for (const evalCase of set.evalCases) {
      for (const turn of evalCase.conversation ?? []) {
        if (!('user' in turn)) continue;
        turn.userContent = { parts: [{ text: turn.user }] };
        for (const key of ['user', 'answer', 'calls']) delete turn[key];
      }
    }
    return set;
  });
}

export interface LooseEvalSet extends Record<string, unknown> {
  readonly evalCases: readonly { readonly conversation?: readonly Record<string, unknown>[] | null }[];
}

/**
 * Generates eval sets as `parseEvalSet` accepts them: turns in either format, unique ids, and one kind of conversation
 * per case.
 */
export function arbitraryEvalSetInput(): fc.Arbitrary<LooseEvalSet> {
  return arbitraryModel('EvalSet', { extras: true }).map((value) => {
    // A copy, because shrinking hands out parts of the same value again.
    const set = structuredClone(value) as { evalCases: Record<string, unknown>[] };
    set.evalCases.push({ evalId: '' });
    for (const [index, evalCase] of set.evalCases.entries()) {
      evalCase.evalId = `${index} ${evalCase.evalId}`;
      const { conversation, conversationScenario } = evalCase;
      if (conversationScenario) evalCase.conversation = null;
      else if (!Array.isArray(conversation) || conversation.length === 0) evalCase.conversation = [{ userContent: {} }];
      let next = 0;
      const turns = Array.isArray(evalCase.conversation) ? evalCase.conversation : [];
      for (const holder of [evalCase, ...turns]) {
        for (const rubric of holder.rubrics ?? []) rubric.rubricId = `${next++} ${rubric.rubricId}`;
      }
    }
    return set;
  });
}
