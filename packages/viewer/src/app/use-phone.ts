import { useMedia } from './use-media.ts';

/** Whether the screen is narrow, as the style has it. */
export function usePhone(): boolean {
  return useMedia('(max-width: 720px)');
}
