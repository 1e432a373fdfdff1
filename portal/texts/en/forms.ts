/** The fields of forms, and forms beside their JSON. */
export const forms = {
  views: {
    label: 'View',
    form: 'Form',
    json: 'JSON',
    text: 'The same as JSON',
    broken: (line: number, column: number) => `This is no JSON: line ${line}, column ${column}.`,
  },
  picture: {
    hint: 'PNG, JPEG, GIF or WebP, 64 kB at most.',
    kind: 'This file is no PNG, JPEG, GIF or WebP.',
    large: (kilobytes: number) => `This picture has ${kilobytes} kB. It may have 64 kB at most.`,
    alt: (label: string) => `${label}, as chosen`,
    remove: (label: string) => `Remove: ${label}`,
  },
  values: {
    none: 'Not stated',
    yes: 'Yes',
    no: 'No',
    json: 'The JSON view changes it.',
    element: (name: string, at: number) => `${name} ${at}`,
    addElement: (name: string) => `Add to ${name}`,
    removeElement: (name: string) => `Remove ${name}`,
    content: 'What is on the card',
    needed: 'On every card',
    optional: 'If it is known',
  },
};
