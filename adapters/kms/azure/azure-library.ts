/** The parts of the vendor's library that are used. */
export interface AzureLibrary
  extends Pick<typeof import('@azure/keyvault-keys'), 'CryptographyClient' | 'KeyClient'>,
    Pick<typeof import('@azure/core-rest-pipeline'), 'createEmptyPipeline' | 'createHttpHeaders'> {}

/** Loads the vendor's library. */
export async function loadAzureLibrary(): Promise<AzureLibrary> {
  const [{ CryptographyClient, KeyClient }, { createEmptyPipeline, createHttpHeaders }] = await Promise.all([
    import('@azure/keyvault-keys'),
    import('@azure/core-rest-pipeline'),
  ]);
  return { CryptographyClient, KeyClient, createEmptyPipeline, createHttpHeaders };
}
