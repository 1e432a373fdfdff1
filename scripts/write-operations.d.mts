import type { JoinedDocument } from '../adapters/http/messages/document.ts';

export function withOperations(name: 'security.md' | 'configuration.md', text: string, joined: JoinedDocument): string;
