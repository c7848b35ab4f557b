import { type Lease, type LeaseOptions, takeLease } from './lease.ts';

/** Work on a folder under a lease, which is released if the work fails; else whoever got it releases it. */
export async function withLease<T>(
  folder: string,
  options: LeaseOptions,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await takeLease(folder, options);
  try {
    return await work(lease);
  } catch (error) {
    releaseQuietly(lease);
    throw error;
  }
}

function releaseQuietly(lease: Lease): void {
  try {
    lease.release();
  } catch {
    // Another error is on its way.
  }
}
