/**
 * Whether a form (`application/x-www-form-urlencoded`) has more than `most` fields. To be asked before it is parsed:
 * each field costs time, however short it is.
 */
export function hasMoreFields(form: string | Buffer, most: number): boolean {
  let fields = 1;
  for (let at = form.indexOf("&"); at >= 0; at = form.indexOf("&", at + 1)) if (++fields > most) return true;
  return false;
}
