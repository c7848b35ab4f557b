/** A share of 0 to 1 in percent, cut so that only all of it reads as 100. */
export function formatShare(share: number): string {
  return `${Math.floor(share * 1000) / 10} %`;
}
