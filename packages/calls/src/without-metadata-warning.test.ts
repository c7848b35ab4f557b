import { expect, onTestFinished, test, vi } from 'vitest';
import { withoutMetadataWarning } from './without-metadata-warning.ts';

test('withoutMetadataWarning() suppresses only that warning, and only while its work runs', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const before = process.emitWarning;
  const lookup = () => process.emitWarning('received unexpected error', 'MetadataLookupWarning');
  const ends: (() => void)[] = [];
  const wait = () => withoutMetadataWarning(() => new Promise<void>((resolve) => ends.push(resolve)));
  const both = [wait(), wait()];
  lookup();
  process.emitWarning('old', 'DeprecationWarning');
  ends[0]?.();
  await both[0];
  lookup();
  ends[1]?.();
  await both[1];
  expect(process.emitWarning).toBe(before);
  await expect(withoutMetadataWarning(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  lookup();
  expect(warned.mock.calls).toEqual([
    ['old', 'DeprecationWarning'],
    ['received unexpected error', 'MetadataLookupWarning'],
  ]);
});
