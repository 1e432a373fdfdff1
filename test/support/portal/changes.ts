import type { Page, Request } from 'playwright-core';
import { operationAt } from '../documents/contract.ts';

/** A request with which a page of the office changed something, behind a login. */
export interface Change {
  operationId: string;
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** What a page changes from now on, behind the login of the office; each operation once. */
export function changesOf(page: Page): () => Promise<Change[]> {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') requests.push(request);
  });
  return async () => {
    const changes = new Map<string, Change>();
    for (const request of requests) {
      const method = request.method();
      const path = new URL(request.url()).pathname;
      const operation = await operationAt(method, path);
      if (operation?.realm !== 'enterprise' || operation.authentication !== 'required') continue;
      const type = request.headers()['content-type'];
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const { operationId } = operation;
      changes.set(operationId, { operationId, path, method, headers, body: request.postData() ?? undefined });
    }
    return [...changes.values()];
  };
}
