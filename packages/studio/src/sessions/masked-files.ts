import { Buffer, isUtf8 } from 'node:buffer';
import { isObject } from '@agent-criteria/formats';
import type { SecretMask } from '@agent-criteria/masking';

/**
 * Masks secrets in the text of files, wherever a value holds any as `inlineData`. Masks of texts leave files alone, because
 * they are encoded. Files of other bytes, such as pictures, are unchanged, and so is a value without secrets.
 */
export function maskedFiles<T>(value: T, mask: SecretMask): T {
  if (Array.isArray(value)) {
    const items = value.map((item) => maskedFiles(item, mask));
    return items.some((item, place) => item !== value[place]) ? (items as T) : value;
  }
  if (!isObject(value)) return value;
  const changed = Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
    const next = key === 'inlineData' && isObject(field) ? maskedFile(field, mask) : maskedFiles(field, mask);
    return next === field ? [] : [[key, next]];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

function maskedFile(file: Readonly<Record<string, unknown>>, mask: SecretMask): Readonly<Record<string, unknown>> {
  const { data } = file;
  if (typeof data !== 'string') return file;
  const bytes = Buffer.from(data, 'base64');
  if (!isUtf8(bytes)) return file;
  const text = bytes.toString('utf8');
  const safe = mask.text(text);
  return safe === text ? file : { ...file, data: Buffer.from(safe, 'utf8').toString('base64') };
}
