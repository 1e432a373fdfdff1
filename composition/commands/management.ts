import { readFile } from 'node:fs/promises';
import { isReachable } from '../../adapters/config/management.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { managementCalls } from '../../adapters/http/edge/management.ts';
import type { JoinedDocument } from '../../adapters/http/messages/document.ts';
import { DOCUMENT } from '../root.ts';

/** The operations of management that other machines may reach without a login, as `METHOD path`. */
export async function openManagement(settings: Settings): Promise<string[]> {
  if (settings.services.management === 'token' || !isReachable(settings)) return [];
  const joined = JSON.parse(await readFile(DOCUMENT, 'utf8')) as JoinedDocument;
  // Commands do not load the services otherwise.
  const { servedDocuments } = await import('../services/services.ts');
  return managementCalls(joined, servedDocuments(settings.services.services));
}
