import { isObject, type Json, type State } from './json.ts';

const HTTP_OPTIONS: readonly string[] = ['httpOptions', 'http_options'];
const SECRET_NAME = /(?:^|[-_])(?:key|apikey|token|secret|password|auth|authorization|credentials?|cookie)$/i;
const SECRET_VALUE = /^\s*(?:bearer|basic)\s/i;

/** The settings of a model without the headers that it is called with, which may hold secrets and decide no answer. */
export function withoutHeaders(settings: State): State {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]): [string, Json | undefined][] => {
      if (name === 'headers') return [];
      if (!HTTP_OPTIONS.includes(name) || !isObject(value)) return [[name, value]];
      const { headers: _, ...others } = value as State;
      return Object.keys(others).length === 0 ? [] : [[name, others]];
    }),
  );
}

/** The names of headers among the settings of a model whose values nobody else may see. */
export function secretHeaders(settings: State): readonly string[] {
  const places = [settings, ...HTTP_OPTIONS.map((name) => settings[name])];
  const headers = places.flatMap((place) => (isObject(place) && isObject(place.headers) ? [place.headers] : []));
  return headers
    .flatMap((one) => Object.entries(one))
    .filter(([name, value]) => SECRET_NAME.test(name) || (typeof value === 'string' && SECRET_VALUE.test(value)))
    .map(([name]) => name);
}
