import { isObject } from '../../domain/foundation/json.ts';

/** How many files this process may have open; undefined where the system has no limit. */
export function openFileLimit(): number | undefined {
  // The names of network interfaces are not needed, and looking them up may take seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = isObject(userLimits?.open_files) ? userLimits.open_files.soft : undefined;
  return typeof soft === 'number' ? soft : undefined;
}
