export function bundleLicences(): string[];
export function deliveredPackages(): { name: string; version: string; licence: string; isBundled: boolean }[];
export function licencesPage(): string;
