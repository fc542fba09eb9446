// Not UVM: of its classes those that examples/uvm uses, with the signatures of IEEE 1800.2 and as little
// behaviour as a test needs (no factory overrides, no phase schedule, no configuration data base). With
// it the example is compiled by two front ends and run; with UVM itself it has not been.
package uvm_pkg;
  typedef enum {UVM_NONE = 0, UVM_LOW = 100, UVM_MEDIUM = 200, UVM_HIGH = 300} uvm_verbosity;

  function automatic void uvm_say(string severity, string id, string text, uvm_verbosity verbosity);
    if (verbosity <= UVM_MEDIUM) $display("%s [%s] %s", severity, id, text);
  endfunction

  virtual class uvm_object;
    protected string m_name;
    function new(string name = "");
      m_name = name;
    endfunction
    virtual function string get_name();
      return m_name;
    endfunction
  endclass

  class uvm_sequence_item extends uvm_object;
    function new(string name = "uvm_sequence_item");
      super.new(name);
    endfunction
  endclass

  class uvm_phase extends uvm_object;
    function new(string name = "uvm_phase");
      super.new(name);
    endfunction
  endclass

  virtual class uvm_component extends uvm_object;
    protected uvm_component m_parent;
    function new(string name, uvm_component parent);
      super.new(name);
      m_parent = parent;
    endfunction
    virtual function void build_phase(uvm_phase phase);
    endfunction
    virtual function void check_phase(uvm_phase phase);
    endfunction
    virtual function void final_phase(uvm_phase phase);
    endfunction
  endclass

  virtual class uvm_scoreboard extends uvm_component;
    function new(string name, uvm_component parent);
      super.new(name, parent);
    endfunction
  endclass

  class uvm_component_registry #(type T = int);
    static function T create(string name, uvm_component parent);
      T made;
      made = new(name, parent);
      return made;
    endfunction
  endclass

  class uvm_object_registry #(type T = int);
    static function T create(string name = "");
      T made;
      made = new(name);
      return made;
    endfunction
  endclass

  class uvm_analysis_imp #(type T = int, type IMP = int) extends uvm_object;
    protected IMP m_imp;
    function new(string name, IMP imp);
      super.new(name);
      m_imp = imp;
    endfunction
    function void write(input T t);
      m_imp.write(t);
    endfunction
  endclass
endpackage
