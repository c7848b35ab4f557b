import { didYouMean, type Json } from '@agent-criteria/core';

/** A placeholder, as `{{session.id}}`. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Finds the value of a placeholder. `undefined` means that there is none. */
export type Lookup = (name: string) => unknown;

/** Marks a string that is left out. */
const NOTHING = Symbol('nothing');

/**
 * Fills a template. A string that is only a placeholder becomes the placeholder's value, and is left out of its object
 * or list if there is none. In a list, a placeholder for a list becomes its items. Other values in texts are written as
 * JSON.
 */
export function fillTemplate(template: Json, lookup: Lookup): Json | undefined {
  const filled = fill(template, lookup);
  return filled === NOTHING ? undefined : (filled as Json);
}

function fill(template: Json, lookup: Lookup): unknown {
  if (typeof template === 'string') {
    const whole = onlyPlaceholder(template);
    return whole === null ? fillText(template, lookup) : (lookup(whole) ?? NOTHING);
  }
  if (Array.isArray(template)) {
    return (template as readonly Json[]).flatMap((item) => {
      const value = fill(item, lookup);
      if (value === NOTHING) return [];
      return Array.isArray(value) && typeof item === 'string' ? value : [value];
    });
  }
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([key, value]) => [key, fill(value as Json, lookup)] as const)
      .filter(([, value]) => value !== NOTHING),
  );
}

/** Fills a text, where a placeholder without a value becomes nothing. */
export function fillText(text: string, lookup: Lookup, encode: (value: string) => string = (value) => value): string {
  return text.replace(PLACEHOLDER, (_, inner: string) => {
    const value = lookup(inner.trim());
    if (value === undefined || value === null) return '';
    return encode(typeof value === 'string' ? value : JSON.stringify(value));
  });
}

/** Lists the names of all placeholders. */
export function placeholdersIn(template: Json): readonly string[] {
  if (typeof template === 'string') return [...template.matchAll(PLACEHOLDER)].map(([, inner = '']) => inner.trim());
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap((value) => placeholdersIn(value as Json));
}

/**
 * Lists the placeholders that are not known.
 * @param known Names; one that ends with a dot is followed by anything.
 */
export function templateProblems(template: Json, known: readonly string[]): readonly string[] {
  const unknown = placeholdersIn(template).filter(
    (name) => !known.some((one) => (one.endsWith('.') ? name.startsWith(one) && name !== one : name === one)),
  );
  const list = known.map((one) => `{{${one}${one.endsWith('.') ? 'NAME' : ''}}}`).join(', ');
  return [...new Set(unknown)].map(
    (name) => `: unknown placeholder {{${name}}}${didYouMean(name, known)}; there are ${list}`,
  );
}

function onlyPlaceholder(text: string): string | null {
  return /^\{\{([^{}]*)\}\}$/.exec(text)?.[1]?.trim() ?? null;
}
