import type { ActivityRecorder } from '../../../domain/holdings/activity.ts';

/** An event log that records nothing. */
export const silentActivity: ActivityRecorder = { record: async () => {} };
