package javax.annotation;

/** What generated classes are marked with: javax.annotation-api has it, which comes with no package here. */
public @interface Generated {
  String[] value();

  String date() default "";

  String comments() default "";
}
