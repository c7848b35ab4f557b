import type { Fields } from '../fields.ts';
import { valueAt } from '../rows/value-at.ts';
import type { TemplatePath } from '../templates/fill-template.ts';

/** Returns the value of a variable. Variables of the environment are never read: they may be secrets. */
export function varAt(vars: Fields, path: TemplatePath): unknown {
  return path[0] === 'env' && !Object.hasOwn(vars, 'env') ? undefined : valueAt(vars, path);
}
