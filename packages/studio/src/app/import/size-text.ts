import { formatBytes } from '@agent-criteria/viewer/views';

/** Formats the size of a file, which may be larger than what is shown elsewhere. */
export function sizeText(bytes: number): string {
  return bytes < 1e9 ? formatBytes(bytes) : `${Math.round(bytes / 1e8) / 10} GB`;
}
